// Loaded in front of a program (`--import`): it listens on no socket of the file system while the file HELD_SOCKET exists.
import { existsSync, watch } from 'node:fs';
import { type ListenOptions, Server } from 'node:net';
import { dirname } from 'node:path';

const hold = process.env.HELD_SOCKET ?? '';
const { listen } = Server.prototype;

if (hold !== '')
  Server.prototype.listen = function (this: Server, where: ListenOptions, ...rest: unknown[]) {
    if (where.path === undefined) return Reflect.apply(listen, this, [where, ...rest]);
    const watcher = watch(dirname(hold));
    const look = () => {
      if (existsSync(hold)) return;
      watcher.close();
      Reflect.apply(listen, this, [where, ...rest]);
    };
    watcher.on('change', look);
    look();
    return this;
  } as typeof listen;
