// What a bridge and a host say to each other over a local socket that is this user's alone. A host is a process that has
// one Claude Code's terminal and the door of its hooks, and outlives the bridge that started it. It understands nothing of
// either; it keeps what came until a bridge says that it has it. Types alone: a host is to stay small.
//
// First both prove that they know the secret of the state folder: `hello`, `challenge`, `proof` are the only frames that
// travel unsealed, and whatever is wrong with one of them is answered with nothing but a close. Behind its `proof` a bridge
// is silent until the host has said something.

/** Versions that this release speaks, the newest first. One changes only when an older end would misread a frame. */
export const hostVersions: readonly number[] = [2];

/** What both ends mean when they prove themselves: this host, in this version. */
export const aboutHost = (run: string, version: number): string => `host ${run}, version ${version}`;

/** What a host is started for: one line of JSON on its standard input, and then the end of that. */
export interface HostOrder {
  /** The session's folder. */
  dir: string;
  /** Names the host, for ever. */
  run: string;
  /** Path of the socket on which it listens. */
  socket: string;
  /** What a bridge has to prove that it knows: kept in memory alone. */
  secret: string;
}

/** `<session's folder>/host.json`: where a host can be found. No secret is in it. */
export interface HostFile {
  /** Names this host, for ever. */
  run: string;
  pid: number;
  /** As in `ProcessIdentity`. */
  started: string;
  /** Path of its socket. */
  socket: string;
}

/**
 * How a hook is answered. `tell`: with `{}`, as soon as it is kept, so its state is `alone` from the start. `ask`: by the bridge; with `{}` while there is none, or
 * when it goes away. `hold`: by the bridge, whenever there is one.
 */
export type HookKind = 'tell' | 'ask' | 'hold';

/**
 * A message of Claude Code's MCP client, which is posted to `/mcp` and `hold`s like a hook: JSON-RPC, as is its answer. The
 * empty answer is one to a notification.
 */
export const mcpEvent = 'Mcp';

/**
 * What became of a hook's request. `open`: it waits for its answer. `written`: an answer of the bridge was handed to the
 * system. `alone`: it was answered with `{}` and without a bridge. `gone`: whoever sent it hung up before its answer.
 */
export type HookState = 'open' | 'written' | 'alone' | 'gone';

export interface HostExit {
  /** Exit code; absent when a signal ended it. */
  code?: number;
  /** Signal number. */
  signal?: number;
  /** What it left running, and the host has ended: each by its command. Absent for nothing. */
  left?: string[];
}

/** The program on the terminal. Offsets count bytes of its output from its start. */
export interface HostedProgram {
  pid: number;
  cols: number;
  rows: number;
  /** Behind the last byte of output. */
  at: number;
  /** `id` of the newest numbered input that was typed. */
  typed?: string;
  exit?: HostExit;
}

/** What the program is started with: the bytes of `start`, as JSON. */
export interface HostedSpec {
  argv: readonly [string, ...string[]];
  /** The whole environment. */
  env: Record<string, string>;
  cwd: string;
  /** The program is bubblewrap, which ends with all that it contains by any signal: others go to what is in it. */
  contained?: boolean;
}

/** From the bridge. What travels beside it as bytes stands behind `+`. */
export type OwnerFrame =
  /** First of all. @field nonce 32 random bytes, in hex */
  | { type: 'hello'; versions: readonly number[]; nonce: string }
  /** Behind the `challenge`. Who is first to prove itself is the owner, until its connection is over. */
  | { type: 'proof'; proof: string }
  /**
   * + HostedSpec. Once: of a second one, only `started` with the pid of the first comes back. Without one within 30 s the
   * host ends. @field token SHA-256, in hex, of the token that hooks have to show
   */
  | { type: 'start'; token: string; cols: number; rows: number }
  /** What was kept is wanted, and then everything as it comes. */
  | { type: 'attach' }
  /** + keys. Of one with an `id` a repeat of the newest is not typed again. */
  | { type: 'input'; id?: string }
  | { type: 'resize'; cols: number; rows: number }
  /** @field all what the program started as well, as far as it is in its process group */
  | { type: 'kill'; signal: NodeJS.Signals; all: boolean }
  /** + a JSON body for a hook that is `open`. */
  | { type: 'answer'; hook: number }
  /** What hooks up to this number said is on disk. A `tell` is not kept any longer. */
  | { type: 'ack'; through: number }
  /** What became of this hook's request, too: nothing of it has to be kept. Of one that is `open`, once it is closed. */
  | { type: 'done'; hook: number }
  /** + escape sequences that draw the screen as it was behind output byte `at`: nothing before it has to be kept. */
  | { type: 'checkpoint'; at: number; cols: number; rows: number }
  /** How long it stays without an owner, ms; 60,000 until this was said. Counted from the moment the owner went. */
  | { type: 'keep'; ms: number }
  /**
   * The program and the host end as with `quit` unless this is said again within `ms`, whoever owns them then and whether or
   * not anybody does; at once when that is 0 or less. Without `ms` they may stay again. A host that never heard of one has
   * none. One that has run out is not renewed. @field at when it was said, ms since the machine was started: it may have lain
   * in the socket while that was suspended. From its receipt when left out
   */
  | { type: 'lease'; ms?: number; at?: number }
  /** + bytes, at most 64 KiB, for the next owner's `hello`. */
  | { type: 'memo' }
  /** + a message of JSON-RPC for the program's MCP client. @field keep the newest of these is for who listens later, too */
  | { type: 'notice'; keep: boolean }
  /** To a `ping`, at once. */
  | { type: 'pong' }
  /**
   * The program and the host end, and all that runs below: SIGTERM to its process group, SIGKILL after 2 s. @field now at
   * once, by SIGSTOP and SIGKILL, whatever it is at
   */
  | { type: 'quit'; now?: boolean };

/** From the host. */
export type HostFrame =
  /** To the owner's `hello`: the host is the one that is meant, and knows the secret. @field nonce as in `hello` */
  | { type: 'challenge'; version: number; nonce: string; proof: string }
  /** The other end has proven itself, and somebody else who has is the owner: `hello` comes when that one is gone. */
  | { type: 'wait' }
  /**
   * From here on the other end is the owner. + the memo. @field port of the hooks' door on 127.0.0.1 @field token as in `start` @field lost hooks that were refused
   * because too much was kept
   */
  | {
      type: 'hello';
      run: string;
      port: number;
      program?: HostedProgram;
      token?: string;
      lost: number;
    }
  /** Somebody waits for the owner to go. One that does not answer within 3 s is taken for dead: its connection is closed. */
  | { type: 'ping' }
  /** So many connections were closed until now because they proved nothing. After `attach`, and once a minute at most. */
  | { type: 'unproven'; count: number }
  | { type: 'started'; pid: number }
  /** It could not be started; the host ends. */
  | { type: 'failed'; words: string }
  /** + the newest checkpoint. After `attach`, before any output. */
  | { type: 'snapshot'; at: number; cols: number; rows: number }
  /** + output. @field at offset of its first byte: a gap to what came before was too much to keep */
  | { type: 'output'; at: number }
  /** + its body. After `attach` every one that is kept comes, in order, before any output. */
  | { type: 'hook'; n: number; event: string; kind: HookKind; state: HookState }
  /** A hook that was `open`: what became of its request. */
  | { type: 'closed'; hook: number; state: Exclude<HookState, 'open'> }
  /** Everything that was kept has been sent, output up to `at` included. What follows is new. */
  | { type: 'attached'; at: number }
  /** Behind the last output. */
  | ({ type: 'exit' } & HostExit);
