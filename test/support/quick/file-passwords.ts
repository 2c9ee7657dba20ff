import { cheap } from './scrypt';

/*
 * To be imported before the modules under test: the passwords of exported files are cheap to check, in
 * tests that are about something else.
 */
jest.mock('node:crypto', () => {
	const crypto = jest.requireActual<typeof import('node:crypto')>('node:crypto');
	return { ...crypto, scrypt: cheap(crypto.scrypt) };
});
