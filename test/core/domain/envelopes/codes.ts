/** Codes of the official receiver for what it cannot read: it has none, ours are named. */
export const notReadable = 'error.runtime.requestDeserialization';
export const unknownType = 'error.runtime.unknownType';
export const servalError = 'error.runtime.servalError';
