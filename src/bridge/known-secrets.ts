// The secrets that the bridge itself has: its token, those of gateways and servers, what providers were given.
import { readFileSync } from 'node:fs';
import { tokenSource } from '../base/files/token-source.ts';
import type { Clock } from '../base/time/clock.ts';
import type { Config } from '../protocol/settings/config.ts';
import { readHostSecret } from './state-files.ts';
import { readBridgeToken } from './tokens/bridge-token.ts';
import { givenSecrets } from './tools/words/given-secrets.ts';

/** A renewed file counts after that, milliseconds. */
const freshMs = 30_000;
/** Of a file with several, such as credentials of NATS: lines without blanks that are no rules of dashes. */
const secretLine = /^(?!-)\S{16,}$/;

export class KnownSecrets {
  readonly #config: Pick<Config, 'agp' | 'cluster' | 'openclaw' | 'operator' | 'providers'>;
  readonly #stateDir: string;
  readonly #clock: Pick<Clock, 'now'>;
  #read: { at: number; values: readonly string[] } | undefined;

  constructor(
    config: Pick<Config, 'agp' | 'cluster' | 'openclaw' | 'operator' | 'providers'>,
    stateDir: string,
    clock: Pick<Clock, 'now'>,
  ) {
    this.#config = config;
    this.#stateDir = stateDir;
    this.#clock = clock;
  }

  /** Never throws: what cannot be read is not known. */
  values(): readonly string[] {
    const now = this.#clock.now();
    if (!this.#read || now - this.#read.at > freshMs) this.#read = { at: now, values: this.#values() };
    return this.#read.values;
  }

  #values(): string[] {
    const { agp, cluster, openclaw, operator, providers } = this.#config;
    const tokens = [
      ...agp.map(tokenSource),
      ...[cluster?.token].flatMap((token) => (token === undefined ? [] : [tokenSource({ token })])),
      ...[openclaw.tokenFile, cluster?.tokenFile].flatMap((tokenFile) =>
        tokenFile === undefined ? [] : [tokenSource({ tokenFile })],
      ),
    ].flatMap((source) => {
      const read = source();
      return read.ok ? [read.token] : [];
    });
    const app = operator.secret?.kind === 'totp' ? operator.secret.file : undefined;
    const files = [cluster?.credsFile, cluster?.keyFile, app].flatMap((file) => linesOf(file));
    const own = [() => readBridgeToken(this.#stateDir), () => readHostSecret(this.#stateDir)].map(
      unlessFailed,
    );
    return [...own, ...tokens, ...files, ...providers.flatMap(givenSecrets)].filter(
      (each) => each !== undefined,
    );
  }
}

function unlessFailed(read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function linesOf(file: string | undefined): string[] {
  const text = file === undefined ? '' : (unlessFailed(() => readFileSync(file, 'utf8')) ?? '');
  return text.split(/\r?\n/).filter((line) => secretLine.test(line));
}
