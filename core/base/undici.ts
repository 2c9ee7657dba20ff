/* The used parts of undici, in a module of their own that is imported with the first request. */
export { default as request } from 'undici/lib/api/api-request.js';
export { default as Agent } from 'undici/lib/dispatcher/agent.js';
export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';
