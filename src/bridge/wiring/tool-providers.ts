import type { ProviderDetail, ProviderView } from '../../domain/views/tools.ts';
import type { Envelope } from '../../protocol/envelope.ts';
import { OperatorError } from '../app/operator-error.ts';
import type { ToolsDesk } from '../control/control-ports.ts';

export class ToolProviders implements ToolsDesk {
  list(): ProviderView[] {
    return [];
  }

  inspect(provider: string): ProviderDetail {
    throw unknown(provider);
  }

  async call(provider: string): Promise<Envelope> {
    throw unknown(provider);
  }

  async set(): Promise<ProviderView[]> {
    return [];
  }
}

const unknown = (provider: string) =>
  new OperatorError(
    'no_such_provider',
    `There is no provider "${provider}".`,
    'All of them: synthesis tools list',
  );
