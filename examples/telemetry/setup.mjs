// Traces to whatever understands OTLP. In a folder of your own:
//   npm install @opentelemetry/sdk-node @opentelemetry/api
//   synthesis config set telemetry.module "$PWD/setup.mjs"
// Where they go is said by the variables that OpenTelemetry has for it, such as OTEL_EXPORTER_OTLP_ENDPOINT.
import { NodeSDK } from '@opentelemetry/sdk-node';

const sdk = new NodeSDK({ serviceName: 'synthesis', instrumentations: [] });
sdk.start();

/** The bridge calls it when it stops, and waits for 3 s. */
export const close = () => sdk.shutdown();
