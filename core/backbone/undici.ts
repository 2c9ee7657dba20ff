/* What is used of undici, together, so that it is loaded at once by the first request. */
export { default as request } from 'undici/lib/api/api-request.js';
export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';
