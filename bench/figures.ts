import type { CryptoWork } from './programs/floor';
import { oneIn } from './programs/holdings';

/** Number of mails that each side receives and lists in every round. */
export const receivedMails = 600;

/** Figure that every round measures by calling a method of both sides. */
export interface Figure {
	readonly name: string;
	readonly method: string;
	readonly params: Record<string, number>;
	/** divisor of the duration */
	readonly operations: number;
	/** wanted factor over the official runtime; absent if none was set */
	readonly target?: number;
	/** cryptography per operation; absent if neither the network nor cryptography is involved */
	readonly crypto?: CryptoWork;
}

const sealMail: CryptoWork = { signatures: 1, encryptions: 2 };

/** Figures in the order of a round; the first two need exactly the received mails. */
export const figures: readonly Figure[] = [
	{
		name: `sync of ${receivedMails} mails, per mail`,
		method: 'syncs',
		params: { count: 1 },
		operations: receivedMails,
		target: 10,
		crypto: { decryptions: 2, verifications: 1 },
	},
	{
		name: `list of ${receivedMails} messages`,
		method: 'lists',
		params: { count: 5, expected: receivedMails },
		operations: 5,
		target: 10,
	},
	{
		name: 'template with a request',
		method: 'templates',
		params: { count: 40 },
		operations: 40,
		target: 5,
		crypto: { keyPairs: 1, signatures: 1, encryptions: 1 },
	},
	{
		name: 'mail, one after another',
		method: 'mails',
		params: { count: 64, lanes: 1 },
		operations: 64,
		target: 5,
		crypto: sealMail,
	},
	{
		name: 'mail, eight at a time',
		method: 'mails',
		params: { count: 64, lanes: 8 },
		operations: 64,
		target: 5,
		crypto: sealMail,
	},
	{
		name: 'attribute',
		method: 'attributes',
		params: { count: 50 },
		operations: 50,
		target: 5,
	},
	{
		name: 'empty sync',
		method: 'syncs',
		params: { count: 100 },
		operations: 100,
		target: 5,
		crypto: {},
	},
];

/** Number of attributes, and of requests, on each side for the figures of a full store. */
export const heldOfEach = 10_000;

const among = `among ${heldOfEach} of each`;
const found = heldOfEach / oneIn;

const lookup = (name: string, method: string, count: number): Figure => ({
	name: `${name} ${among}`,
	method,
	params: { count, expected: found },
	operations: count,
});

/** Figures of a full store, which involve no network. */
export const fullStoreFigures: readonly Figure[] = [
	lookup('attribute by id', 'attributeById', 100),
	lookup('versions of an attribute', 'versionsOfAttribute', 20),
	lookup(`${found} attributes by type`, 'attributesOfType', 20),
	lookup(`${found} attributes by query`, 'attributesByQuery', 20),
	lookup('outgoing request by id', 'requestById', 100),
	lookup(`${found} outgoing requests by item`, 'requestsOfItem', 20),
];

/** Keys, proof of possession and signatures of an identity with one device. */
export const accountCreationCrypto: CryptoWork = { keyPairs: 2, signatures: 2 };
