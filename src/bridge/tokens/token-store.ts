// The tokens of a running bridge. It looks at both files at each use and reads them anew when they changed, so that what
// was revoked is refused at its next request, and what is new holds at once. A file that cannot be read opens nothing.
import { fileStamp } from '../../base/files/file-stamp.ts';
import { claimFile } from '../../base/files/private-file.ts';
import type { Log } from '../../base/log.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { ShownToken, TokenGrant, TokenScope } from '../../protocol/tokens.ts';
import { bridgeTokenFile, bridgeTokenId, readBridgeToken } from './bridge-token.ts';
import { TokenBook } from './token-book.ts';
import { readTokens, tokensPath } from './token-file.ts';
import type { TokenRecord } from './token-record.ts';
import { TokenUse, tokenUsePath } from './token-use.ts';

interface TokenStoreOptions {
  stateDir: string;
  clock: Pick<Clock, 'wall'>;
  log: Log;
}

export class TokenStore {
  readonly #options: TokenStoreOptions;
  readonly #use: TokenUse;
  #book = new TokenBook(undefined, []);
  /** Of the files that the book was read from; undefined: read them. */
  #stamp: string | undefined;
  #trouble = '';

  /** @throws UnsafePathError when something else stands in the place of a file */
  constructor(options: TokenStoreOptions) {
    this.#options = options;
    const { stateDir } = options;
    for (const path of [bridgeTokenFile(stateDir), tokensPath(stateDir), tokenUsePath(stateDir)])
      claimFile(path);
    this.#use = new TokenUse(stateDir);
  }

  /** Says what is known of a secret. Never throws. */
  look(secret: string | undefined): ShownToken {
    const now = this.#options.clock.wall();
    const shown = this.#current().look(secret, now);
    if (shown.kind === 'holds') this.#use.note(shown.grant.id, now);
    return shown;
  }

  /** @returns whose secret it is, if it holds now and opens that; undefined otherwise. Never throws. */
  holds(secret: string | undefined, scope: TokenScope): TokenGrant | undefined {
    const shown = this.look(secret);
    return shown.kind === 'holds' && shown.grant.scopes.includes(scope) ? shown.grant : undefined;
  }

  /** One for some conversations does not: what is decided at the control socket concerns all. Never throws. */
  mayDecide(secret: string): boolean {
    const grant = this.holds(secret, 'operate');
    return grant !== undefined && grant.session === undefined;
  }

  #current(): TokenBook {
    const { stateDir } = this.#options;
    try {
      // Taken before the files are read: what changes meanwhile is read once more.
      const stamp = `${fileStamp(bridgeTokenFile(stateDir))} ${fileStamp(tokensPath(stateDir))}`;
      if (stamp === this.#stamp) return this.#book;
      this.#stamp = this.#read() ? stamp : undefined;
    } catch (error) {
      this.#book = new TokenBook(undefined, []);
      this.#stamp = undefined;
      this.#told(error);
    }
    return this.#book;
  }

  /** @returns whether all of it could be read */
  #read(): boolean {
    const { stateDir, log } = this.#options;
    const [own, records] = [attempt(() => readBridgeToken(stateDir)), attempt(() => readTokens(stateDir))];
    const known: readonly TokenRecord[] = records.ok ? records.value : [];
    this.#book = new TokenBook(own.ok ? own.value : undefined, known);
    const ids = known.map(({ id }) => id);
    if (records.ok) this.#use.keepOnly([bridgeTokenId, ...ids]);
    const failed = [own, records].find((each) => !each.ok);
    if (failed?.ok === false) {
      this.#told(failed.error);
      return false;
    }
    this.#trouble = '';
    log.info('tokens read', { tokens: ids });
    return true;
  }

  /** Once, however often it is met. */
  #told(error: unknown): void {
    const trouble = error instanceof Error ? error.message : String(error);
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    this.#options.log.error('tokens cannot be read, so they open nothing', { error });
  }
}

type Attempt<T> = { ok: true; value: T } | { ok: false; error: unknown };

function attempt<T>(work: () => T): Attempt<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    return { ok: false, error };
  }
}
