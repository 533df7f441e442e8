// In the built program kept-bridge.ts stands in for this file: see rolldown.config.ts.
export const loadBridge = () => import('../bridge/main.ts');
