// Telegram's Bot API on loopback, as far as OpenClaw's Telegram channel uses it. People write, press buttons, and see
// the messages as a phone would show them: the last edit of each.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { until } from '../../support/until.ts';

export interface Person {
  id: number;
  first_name: string;
  username: string;
}

export interface Chat {
  id: number;
  type: 'private' | 'supergroup';
  title?: string;
  first_name?: string;
  username?: string;
}

export interface Button {
  text: string;
  callback_data?: string;
}

/** A message of the bot as its readers see it now. */
export interface Shown {
  id: number;
  chat: number;
  text: string;
  buttons: Button[];
}

/** What became of a message of the bot, and when. */
export interface Edition {
  /** As `performance.now()` counts, milliseconds. */
  at: number;
  chat: number;
  id: number;
  /** Undefined when it was taken away. */
  text: string | undefined;
}

type Params = Record<string, unknown>;

/** Each its own: OpenClaw does not let two accounts be one bot. */
let bots = 99;

export class BotApi implements AsyncDisposable {
  readonly #server = createServer((request, response) => void this.#handle(request, response));
  readonly #updates: Params[] = [];
  readonly #files = new Map<string, Buffer>();
  readonly #shown: Shown[] = [];
  #waiting: (() => void)[] = [];
  #lastId = 0;
  readonly #bot = { id: ++bots, is_bot: true, first_name: 'Syn', username: `syn${bots}_test_bot` };
  readonly #token = `${this.#bot.id}:AAtest-token-of-the-loopback-bot-api`;
  /** Methods called so far, oldest first, without the polling. */
  readonly calls: { method: string; params: Params }[] = [];
  /** Everything that a screen has shown of the bot, oldest first. */
  readonly editions: Edition[] = [];

  static async start(): Promise<BotApi> {
    const api = new BotApi();
    await new Promise<void>((resolve, reject) => {
      api.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return api;
  }

  /** What OpenClaw's `channels.telegram` needs in order to talk to this and to nothing else. */
  get account(): { botToken: string; apiRoot: string } {
    const { port } = this.#server.address() as AddressInfo;
    return { botToken: this.#token, apiRoot: `http://127.0.0.1:${port}` };
  }

  /** Somebody writes. @returns the message's id */
  write(chat: Chat, from: Person, text: string): number {
    const entities = text.startsWith('/')
      ? { entities: [{ type: 'bot_command', offset: 0, length: text.split(/\s/, 1)[0]?.length ?? 0 }] }
      : {};
    return this.#message(chat, from, { text, ...entities });
  }

  /** Somebody answers a message of the bot or, if `by` says so, of a person: all of it or a part. */
  reply(
    chat: Chat,
    from: Person,
    text: string,
    to: { id: number; text: string; by?: Person },
    part?: string,
  ): number {
    const answered = this.#asMessage(to.id, chat.id, to.text);
    return this.#message(chat, from, {
      text,
      reply_to_message: { ...answered, ...(to.by && { from: { ...to.by, is_bot: false } }) },
      ...(part !== undefined && { quote: { text: part, position: to.text.indexOf(part) } }),
    });
  }

  /** Somebody passes on what another wrote. */
  forward(chat: Chat, from: Person, text: string, by: Person): number {
    const forward_origin = { type: 'user', sender_user: { ...by, is_bot: false }, date: 1_796_115_600 };
    return this.#message(chat, from, { text, forward_origin });
  }

  /** Somebody sends a picture with words below it. */
  photo(chat: Chat, from: Person, caption: string, bytes: Buffer): number {
    const id = `photo${++this.#lastId}`;
    this.#files.set(id, bytes);
    const size = { file_id: id, file_unique_id: id, width: 8, height: 8, file_size: bytes.length };
    return this.#message(chat, from, { caption, photo: [size] });
  }

  /** Somebody sends a sticker, one that does not move. */
  sticker(chat: Chat, from: Person, bytes: Buffer): number {
    const id = `sticker${++this.#lastId}`;
    this.#files.set(id, bytes);
    const size = { file_id: id, file_unique_id: id, width: 512, height: 512, file_size: bytes.length };
    const kind = { type: 'regular', is_animated: false, is_video: false, emoji: '👋', set_name: 'Garden' };
    return this.#message(chat, from, { sticker: { ...size, ...kind } });
  }

  /** Somebody speaks, with or without words below it. */
  voice(chat: Chat, from: Person, bytes: Buffer, caption?: string): number {
    const id = `voice${++this.#lastId}`;
    this.#files.set(id, bytes);
    const voice = {
      file_id: id,
      file_unique_id: id,
      duration: 2,
      mime_type: 'audio/ogg',
      file_size: bytes.length,
    };
    return this.#message(chat, from, { voice, ...(caption !== undefined && { caption }) });
  }

  /** Somebody presses a button below a message of the bot. */
  press(message: Shown, from: Person, button: Button): void {
    const chat = this.#chats.get(message.chat) ?? { id: message.chat, type: 'private' };
    this.#push({
      callback_query: {
        id: String(++this.#lastId),
        from: { ...from, is_bot: false },
        chat_instance: '1',
        data: button.callback_data,
        message: { message_id: message.id, date: now(), chat, from: this.#bot, text: message.text },
      },
    });
  }

  /** What the bot has said in a chat, each message in its last edition. */
  shown(chat: Chat): Shown[] {
    return this.#shown.filter((message) => message.chat === chat.id);
  }

  /** Now, as a place in what is said: whatever comes later has a higher id. */
  get mark(): number {
    return this.#lastId;
  }

  /** Waits for a message of the bot behind a mark. */
  async answer(chat: Chat, says: string | RegExp, after = 0, ms = 60_000): Promise<Shown> {
    const fits = ({ id, text }: Shown) =>
      id > after && (typeof says === 'string' ? text.includes(says) : says.test(text));
    const found = () => this.shown(chat).find(fits);
    try {
      return await until(`"${says}" in chat ${chat.id}`, found, ms);
    } catch (error) {
      const said = this.shown(chat).map(({ text }) => JSON.stringify(text));
      throw new Error(`${(error as Error).message}; it has:\n${said.join('\n')}`);
    }
  }

  /** Waits until the bot has not called for six seconds, not even to say that it types. */
  async quiet(): Promise<void> {
    let calls = -1;
    let since = 0;
    const isQuiet = () => {
      if (this.calls.length !== calls) since = performance.now();
      calls = this.calls.length;
      return performance.now() - since > 6_000;
    };
    await until('the bot to be quiet', isQuiet, 60_000);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  readonly #chats = new Map<number, Chat>();

  #message(chat: Chat, from: Person, content: Params): number {
    this.#chats.set(chat.id, chat);
    const message_id = ++this.#lastId;
    this.#push({ message: { message_id, date: now(), chat, from: { ...from, is_bot: false }, ...content } });
    return message_id;
  }

  #push(update: Params): void {
    this.#updates.push({ update_id: this.#updates.length + 1, ...update });
    for (const wake of this.#waiting.splice(0)) wake();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://loopback');
    const [, file] = /^\/file\/bot[^/]+\/(.+)$/.exec(pathname) ?? [];
    if (file) return void response.writeHead(200).end(this.#files.get(file));
    const [, given, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(pathname) ?? [];
    const params = { ...Object.fromEntries(searchParams), ...(await paramsOf(request)) };
    if (given !== this.#token)
      return reply(response, 401, { ok: false, error_code: 401, description: 'Unauthorized' });
    const result = await this.#call(method, params, request);
    reply(response, 200, { ok: true, result });
  }

  async #call(method: string, params: Params, request: IncomingMessage): Promise<unknown> {
    if (method !== 'getUpdates') this.calls.push({ method, params });
    switch (method) {
      case 'getMe':
        return { ...this.#bot, can_join_groups: true, can_read_all_group_messages: true };
      case 'getUpdates':
        return this.#poll(Number(params.offset ?? 0), Number(params.timeout ?? 0), request);
      case 'getFile':
        return { file_id: params.file_id, file_unique_id: params.file_id, file_path: params.file_id };
      case 'getChat':
        return this.#chats.get(Number(params.chat_id)) ?? { id: Number(params.chat_id), type: 'private' };
      case 'getChatMember':
        return { status: 'administrator', user: this.#bot };
      case 'getMyCommands':
      case 'getChatAdministrators':
        return [];
      case 'sendMessage':
        return this.#show(params);
      case 'sendDocument':
      case 'sendPhoto':
        return this.#asMessage(++this.#lastId, Number(params.chat_id), '');
      case 'editMessageText':
      case 'editMessageReplyMarkup':
        return this.#edit(params);
      case 'deleteMessage':
        return this.#remove(params);
      default:
        return true;
    }
  }

  async #poll(offset: number, seconds: number, request: IncomingMessage): Promise<Params[]> {
    const fresh = () => this.#updates.filter((update) => Number(update.update_id) >= offset);
    if (fresh().length > 0 || seconds === 0) return fresh();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, seconds * 1000);
      const wake = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting.push(wake);
      request.once('close', wake);
    });
    return fresh();
  }

  #show(params: Params): Params {
    const id = ++this.#lastId;
    const chat = Number(params.chat_id);
    this.#shown.push({ id, chat, text: textOf(params), buttons: buttonsOf(params) });
    this.#note(id, chat, textOf(params));
    return this.#asMessage(id, chat, textOf(params));
  }

  #edit(params: Params): unknown {
    const message = this.#shown.find(({ id }) => id === Number(params.message_id));
    if (!message) return true;
    if ('text' in params || 'rich_message' in params) message.text = textOf(params);
    message.buttons = buttonsOf(params);
    this.#note(message.id, message.chat, message.text);
    return this.#asMessage(message.id, message.chat, message.text);
  }

  #remove(params: Params): boolean {
    const at = this.#shown.findIndex(({ id }) => id === Number(params.message_id));
    const [message] = at >= 0 ? this.#shown.splice(at, 1) : [];
    if (message) this.#note(message.id, message.chat, undefined);
    return true;
  }

  #note(id: number, chat: number, text: string | undefined): void {
    this.editions.push({ at: performance.now(), chat, id, text });
  }

  #asMessage(message_id: number, chat: number, text: string): Params {
    return {
      message_id,
      date: now(),
      chat: this.#chats.get(chat) ?? { id: chat, type: 'private' },
      from: this.#bot,
      text,
    };
  }
}

const now = () => Math.floor(Date.now() / 1000);

/** HTML is what OpenClaw sends; a reader sees its text. */
function textOf(params: Params): string {
  const text = typeof params.text === 'string' ? params.text : JSON.stringify(params.rich_message ?? '');
  if (params.parse_mode !== 'HTML') return text;
  return text
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

function buttonsOf({ reply_markup }: Params): Button[] {
  const markup = typeof reply_markup === 'string' ? JSON.parse(reply_markup) : reply_markup;
  return ((markup as { inline_keyboard?: Button[][] } | undefined)?.inline_keyboard ?? []).flat();
}

async function paramsOf(request: IncomingMessage): Promise<Params> {
  const body = await buffer(request);
  if (body.length === 0) return {};
  const type = request.headers['content-type'] ?? '';
  if (type.includes('json')) return JSON.parse(body.toString('utf8')) as Params;
  if (type.includes('urlencoded')) return Object.fromEntries(new URLSearchParams(body.toString('utf8')));
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  // A file counts by its name.
  return Object.fromEntries(
    [...form].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]),
  );
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
