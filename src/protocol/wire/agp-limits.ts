// Sizes and times of AGP: known without its frames.

/** `maxPayload` of the client, bytes; also the longest text frame it reads. */
export const MAX_AGP_FRAME_BYTES = 1_048_576;
/** Milliseconds before the first reconnect; each further one waits 1.5 times as long (AGP, client configuration). */
export const AGP_RECONNECT_MS = 3_000;
export const AGP_RECONNECT_FACTOR = 1.5;
/** Longest wait between two attempts, milliseconds (AGP, client configuration). */
export const AGP_RECONNECT_MAX_MS = 25_000;
/** Milliseconds between WebSocket pings; the gateway's idle timeout is about 60 s (AGP, client configuration). */
export const AGP_HEARTBEAT_MS = 20_000;
