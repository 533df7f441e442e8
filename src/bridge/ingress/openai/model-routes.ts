// `GET /v1/models`: what most clients ask first.
import { type Handler, ok, type Routes } from '../../http/routes.ts';
import { modelList, modelObject } from './answer/answer-object.ts';
import { modelNotFound } from './errors.ts';
import { checkToken, type TokenCheckOptions } from './token-check.ts';

/** The model this provider has. `claude-<name>` is the same, so that a hub can give each of its agents one. */
export const models = ['claude'];
export const isOurs = (model: string) => /^(?:synthesis\/)?claude(?:-[\w.-]{1,100})?$/.test(model);

const startedAt = Math.floor(Date.now() / 1000);

export function modelRoutes(routes: Routes, options: TokenCheckOptions): void {
  const known =
    (handler: Handler): Handler =>
    (exchange) => {
      const checked = checkToken(options, exchange.request, 'models', 'chat');
      return checked.ok ? handler(exchange) : checked.fault;
    };
  const list = known(() => ok(modelList(models, startedAt)));
  const one = known(({ params: { rest: id = '' } }) =>
    isOurs(id) ? ok(modelObject(id, startedAt)) : modelNotFound(id, models),
  );
  routes.add('GET', '/v1/models', list);
  routes.add('GET', '/v1/models/*', one);
}
