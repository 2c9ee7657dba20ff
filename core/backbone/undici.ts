/* What is used of undici, together, because it is a file of its own in the distribution (gulpfile.js). */
export { default as request } from 'undici/lib/api/api-request.js';
export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';
