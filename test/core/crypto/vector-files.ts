import type { Random } from '../../../core/base/random';

export const bytesOf = (base64Url: string): Uint8Array =>
	new Uint8Array(Buffer.from(base64Url, 'base64url'));

export const hexOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));

export const jsonOf = <Shape>(text: string): Shape => JSON.parse(text) as Shape;

/** Text behind a base64 form. */
export const textOfForm = (form: string): string => Buffer.from(form, 'base64url').toString('utf8');

/** Hands out the given values in order and fails on any other request. */
export function scriptedRandom(...values: Array<Uint8Array | string>): Random {
	const next = (length: number): Uint8Array | string => {
		const value = values.shift();
		if (value?.length !== length) {
			throw new Error(`The script expected another length than ${length}`);
		}
		return value;
	};
	return {
		bytes: (length) => Uint8Array.from(next(length) as Uint8Array),
		text: (length) => next(length) as string,
	};
}

/** The code of what a function throws, or its class for errors without one. */
export function codeThrownBy(work: () => unknown): string {
	try {
		work();
	} catch (error) {
		const { code, name } = error as { code?: string; name: string };
		return code ?? name;
	}
	return 'nothing was thrown';
}
