import { cheap } from '../../support/quick/scrypt';

/* To be imported before the modules that are run: the passwords of exported files are cheap to check. */
const crypto: { scrypt: unknown } = process.getBuiltinModule('node:crypto');
crypto.scrypt = cheap(process.getBuiltinModule('node:crypto').scrypt);
