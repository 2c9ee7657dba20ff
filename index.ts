/** The library: everything that the nodes use, for TypeScript programs outside n8n. */
export * from './core';
