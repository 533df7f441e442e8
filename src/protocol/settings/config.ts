// The configuration file. One schema: the JSON Schema that editors use is generated from it.
import { z } from 'zod';
import { ClusterSettings, NodeName } from '../cluster/cluster.ts';
import { duration } from '../duration.ts';
import { whole } from '../whole.ts';
import { AGP_HEARTBEAT_MS, AGP_RECONNECT_MS } from '../wire/agp-limits.ts';
import { absolutePath } from './absolute-path.ts';
import { ContainLet, ContainMode, ContainPath } from './contain.ts';
import { isBareUrl, isSafeGateway } from './gateway-url.ts';
import { OperatorSecret } from './operator-secret.ts';
import { PermissionMode } from './permission-mode.ts';
import { PolicyRule } from './policy.ts';
import { Provider } from './provider.ts';
import { QueueMode } from './queue-mode.ts';
import { AllowedDomain, SandboxMode } from './sandbox.ts';
import { ProfileVault, VaultSettings } from './vault.ts';

/** Channels on which OpenClaw was seen to put the sender in front of every message (measured on 2026.9.6). */
export const MEASURED_CHANNELS: readonly string[] = ['telegram'];

/** Program and arguments; no shell. */
const command = z.array(z.string().min(1)).min(1);

export const DeliveryChoice = z.enum(['auto', 'channel', 'terminal']);
export type DeliveryChoice = z.infer<typeof DeliveryChoice>;

/** What an answer says of Claude's tools: nothing, what took long, or also what runs just then. */
export const ProgressMode = z.enum(['off', 'brief', 'full']);
export type ProgressMode = z.infer<typeof ProgressMode>;

/** What is masked in what goes out: whatever looks like a secret, or only what the bridge itself has to keep. */
export const MaskMode = z.enum(['secrets', 'own']);
export type MaskMode = z.infer<typeof MaskMode>;

/** How a screen calls its operator: BEL, or a notification of the terminal (OSC 9, OSC 777). */
export const NoticeStyle = z.enum(['off', 'bell', 'osc9', 'osc777']);
export type NoticeStyle = z.infer<typeof NoticeStyle>;

export const Profile = z.lazy(() =>
  z
    .strictObject({
      /** Session keys it applies to; `*` stands for any text. The first profile that fits wins. */
      match: z.string().min(1),
      cwd: z.string().optional(),
      permissionMode: PermissionMode.optional(),
      sandbox: SandboxMode.optional(),
      allowedDomains: z.array(AllowedDomain).max(200).optional(),
      contain: ContainMode.optional(),
      containWrite: z.array(ContainPath).max(100).optional(),
      containLet: z.array(ContainLet).optional(),
      model: z.string().optional(),
      approvers: z.array(z.string().min(1)).optional(),
      delivery: DeliveryChoice.optional(),
      queueMode: QueueMode.optional(),
      progress: ProgressMode.optional(),
      mask: MaskMode.optional(),
      sharedMemory: z.boolean().optional(),
      vault: ProfileVault.optional(),
      node: NodeName.optional(),
      /** Whether another node may go on with it; see `cluster.takeover`. */
      takeover: z.boolean().optional(),
    })
    .describe('What sessions whose key fits `match` are started with.'),
);
export type Profile = z.infer<typeof Profile>;

export const AgpGateway = z.lazy(() =>
  z
    .strictObject({
      url: z
        .url({ protocol: /^wss?$/, error: 'expected a ws:// or wss:// URL' })
        // The keys of its conversations begin with it, and have to stay in one piece.
        .max(200)
        .refine(isSafeGateway, 'only wss:// is allowed beyond this machine')
        .refine(isBareUrl, 'without token, user, password and fragment: the token has a key of its own'),
      token: z.string().min(1).max(8_192).optional(),
      tokenFile: absolutePath.optional(),
      guid: z.string().min(1).max(1_024).optional(),
      userId: z.string().min(1).max(1_024).optional(),
      reconnectInterval: duration().prefault(AGP_RECONNECT_MS),
      maxReconnectAttempts: whole(0).default(0),
      heartbeatInterval: duration().prefault(AGP_HEARTBEAT_MS),
    })
    .refine(({ token, tokenFile }) => (token === undefined) !== (tokenFile === undefined), {
      error: 'expected either token or tokenFile',
    })
    .describe('A WeChat gateway that speaks AGP.'),
);
export type AgpGateway = z.infer<typeof AgpGateway>;

export const Config = z.strictObject({
  $schema: z.string().optional(),
  port: whole(0, 65_535).default(18_801),
  claude: z.string().min(1).default('claude').describe('The Claude Code executable.'),
  cwd: z.string().optional().describe('Default working directory of sessions.'),
  permissionMode: PermissionMode.default('manual'),
  sandbox: SandboxMode.default('off').describe(
    "Whether Claude's shell commands run in Claude Code's sandbox: `required` starts no session without it.",
  ),
  allowedDomains: z
    .array(AllowedDomain)
    .max(200)
    .default([])
    .describe('Hosts that commands in the sandbox may connect to.'),
  contain: ContainMode.default('off').describe(
    'Whether all of Claude Code runs in bubblewrap (Linux): `required` starts no session that is not contained.',
  ),
  containWrite: z
    .array(ContainPath)
    .max(100)
    .default([])
    .describe('Files and folders that a contained Claude Code may write to, besides its work folder.'),
  containLet: z
    .array(ContainLet)
    .default([])
    .describe('What a contained Claude Code reaches all the same. Each undoes a part of the wall.'),
  approvers: z
    .array(z.string().min(1))
    .default([])
    .describe('Sender ids (`id` or `channel:id`) that may answer permission questions in chats.'),
  policy: z
    .array(PolicyRule)
    .max(200)
    .default([])
    .describe(
      'What may be used without a question, with whose yes, or not at all. The first rule that fits decides.',
    ),
  delivery: DeliveryChoice.default('auto'),
  queueMode: QueueMode.default('queue').describe('What a message does that comes while Claude works.'),
  progress: ProgressMode.default('off').describe('What answers in chats say of tools that take long.'),
  mask: MaskMode.default('secrets').describe(
    'What is masked in answers and other texts that go out: all that looks like a secret, or only the secrets of the bridge.',
  ),
  sharedMemory: z
    .boolean()
    .default(false)
    .describe("Whether sessions share Claude Code's own memory of their folder instead of having one each."),
  channels: z
    .strictObject({
      development: z
        .boolean()
        .default(false)
        .describe('Consent to load the channel with the development flag and to confirm its dialog.'),
      plugin: z.string().optional().describe('`name@marketplace` of an allowlisted channel plugin.'),
    })
    .prefault({}),
  profiles: z.array(Profile).default([]),
  agp: z
    .array(AgpGateway)
    .prefault([])
    .refine((gateways) => new Set(gateways.map(({ url }) => url)).size === gateways.length, {
      error: 'two gateways with the same url cannot be told apart',
    }),
  providers: z
    .array(Provider)
    .max(50)
    .prefault([])
    .refine((providers) => new Set(providers.map(({ name }) => name)).size === providers.length, {
      error: 'two providers with the same name cannot be told apart',
    })
    .describe('MCP servers whose tools every Claude gets.'),
  vault: VaultSettings.optional(),
  cluster: ClusterSettings.optional(),
  openclaw: z
    .strictObject({
      gatewayUrl: z
        .url({ protocol: /^(?:http|ws)s?$/, error: 'expected an http://, https://, ws:// or wss:// URL' })
        .refine(isSafeGateway, 'only https:// and wss:// are allowed beyond this machine')
        .refine(isBareUrl, 'without token, user, password and fragment: the token has a file of its own')
        .optional()
        .describe("OpenClaw's gateway, for approval cards and for messages and tools out of turn."),
      tokenFile: absolutePath.optional().describe('File that holds the token of the gateway.'),
      heartbeat: z
        .enum(['skip', 'forward'])
        .default('skip')
        .describe('Whether heartbeats are answered without waking Claude, or passed on.'),
      utilityCalls: z
        .enum(['answer', 'refuse'])
        .default('answer')
        .describe(
          'Whether what OpenClaw asks outside of every conversation is answered by a Claude Code without tools.',
        ),
      provenChannels: z
        .array(z.string().regex(/^[a-z][\w-]*$/, 'expected the name of a channel, in lower case'))
        .default([...MEASURED_CHANNELS])
        .describe('Channels on which OpenClaw names the sender of every message for certain.'),
    })
    .refine(({ gatewayUrl, tokenFile }) => (gatewayUrl === undefined) === (tokenFile === undefined), {
      error: 'gatewayUrl and tokenFile belong together',
    })
    .prefault({}),
  audit: z
    .strictObject({
      keyCommand: command.optional().describe('Prints the key of the journal; run once at the start.'),
      anchorCommand: command
        .optional()
        .describe('Gets the head of the journal on stdin, to keep it elsewhere.'),
      anchorEveryMs: duration()
        .prefault(60 * 60_000)
        .describe('How often anchorCommand is run.'),
    })
    .prefault({}),
  operator: z
    .strictObject({
      unattended: z
        .enum(['refuse', 'allow'])
        .default('refuse')
        .describe('Whether a program without a terminal, such as a script, may decide without a token.'),
      unknown: z
        .enum(['refuse', 'allow'])
        .optional()
        .describe('Whether whoever calls may decide where the system does not tell who that is.'),
      secret: OperatorSecret.optional().describe(
        'Nothing is decided on this machine without it: a signature of one of your SSH keys, or a code of your app.',
      ),
    })
    .prefault({}),
  hosts: z
    .strictObject({
      onExit: z
        .enum(['keep', 'end'])
        .optional()
        .describe('Whether Claude Code goes on for the next bridge when this one is stopped by a signal.'),
      // More is no timer of Node.
      graceMs: duration('1ms', '24d20h31m23s647ms')
        .prefault(24 * 60 * 60_000)
        .describe('How long Claude Code goes on without a bridge.'),
      spare: z.boolean().default(true).describe('Whether one host is started before it is wanted.'),
    })
    .prefault({}),
  journal: z
    .strictObject({
      rows: whole(1_000, 10_000_000)
        .default(200_000)
        .describe('A journal with more rows than that is archived, in a quiet moment.'),
      keepDays: whole(0, 36_500)
        .default(90)
        .describe('Archived rows that are older are deleted; the newest archive stays in any case.'),
    })
    .prefault({}),
  telemetry: z
    .strictObject({
      module: absolutePath
        .optional()
        .describe('A module of yours that sets OpenTelemetry up: traces of turns go there.'),
    })
    .prefault({}),
  metrics: z
    .strictObject({
      http: z
        .boolean()
        .default(false)
        .describe('Whether `GET /metrics` answers on the port of the bridge, without a token.'),
    })
    .prefault({}),
  attach: z
    .strictObject({
      copy: z
        .boolean()
        .default(false)
        .describe('Whether a key of the screen may fill the clipboard (OSC 52).'),
    })
    .prefault({}),
  notify: z
    .strictObject({
      command: command
        .optional()
        .describe(
          'Run when something waits for you, fails, or a long turn ends; the words are in its environment.',
        ),
      terminal: NoticeStyle.default('bell').describe('How the screen of `attach` says so to its terminal.'),
      longTurnMs: duration()
        .prefault(60_000)
        .describe('A turn that takes longer is worth a notice at its end.'),
    })
    .prefault({}),
  log: z
    .strictObject({
      level: z.enum(['debug', 'info', 'warn', 'error']).default('info').describe('The least that is logged.'),
      bytes: whole(1024)
        .default(10 * 1024 * 1024)
        .describe('A bridge.log of this size is put aside, and a new one begun.'),
      files: whole(1, 100).default(5).describe('How many are kept, the newest included.'),
      texts: z.boolean().default(false).describe('Whether what people and Claude write is logged, too.'),
    })
    .prefault({}),
  limits: z
    .strictObject({
      liveSessions: whole(1, 500).default(20),
      warmAtStart: whole(0, 500)
        .default(0)
        .describe('Conversations whose Claude Code is started with the bridge, the last used ones.'),
      queuedMessages: whole(1, 10_000).default(100),
      openRequests: whole(1, 10_000).default(500),
      openQuestions: whole(1, 1000).default(20),
      bodyBytes: whole(1024).default(8 * 1024 * 1024),
      messagesPerMinute: whole(1, 10_000)
        .default(30)
        .describe('Messages that one sender may write within a minute.'),
      // As UTF-8 still within one frame to Claude's channel.
      messageCharacters: whole(100, 300_000).default(100_000).describe('Longest message, UTF-16 code units.'),
    })
    .prefault({}),
  timeouts: z
    .strictObject({
      startMs: duration().prefault(30_000).describe('Claude Code must be ready within.'),
      idleMs: duration()
        .prefault(30 * 60_000)
        .describe('An idle Claude Code is ended after.'),
      permissionMs: duration()
        .prefault(10 * 60_000)
        .describe('An unanswered permission request is denied after.'),
      turnMs: duration()
        .prefault(60 * 60_000)
        .describe('A turn without any event is given up after.'),
      stalledMs: duration()
        .prefault(10_000)
        .describe('Claude Code that draws nothing in its work is asked whether it still can after.'),
      unattendedMs: duration()
        .prefault(60 * 60_000)
        .describe('What a scheduled run left at work in the background is ended after.'),
      keepAliveMs: duration().prefault(10_000).describe('A silent stream gets an empty data chunk every.'),
    })
    .prefault({}),
});
export type Config = z.infer<typeof Config>;
