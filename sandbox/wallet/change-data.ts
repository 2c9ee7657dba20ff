import { isGatewayError, judged, type AttributeValueInput } from '../../core';
import { valueOf } from './forms/form-values';
import { WalletError } from './http/wallet-error';
import type { Person } from './person';
import { storeFile } from './send-mail';
import type { FormValues } from './shown/inputs';

export interface DataInput {
	readonly type: string;
	readonly values: FormValues;
	/** attribute that the value replaces; absent for a new one */
	readonly replaces?: string | undefined;
}

/** Adds an attribute, or replaces one and notifies the contacts that have it. */
export async function saveData(person: Person, input: DataInput): Promise<void> {
	const { attributes } = person.gateway;
	const value = judged<AttributeValueInput>(
		await valueOf(input.type, input.values, (file) => storeFile(person, file)),
	);
	try {
		if (input.replaces === undefined) {
			await attributes.create({ content: { value } });
			return;
		}
		const { predecessor, successor } = await attributes.succeed(input.replaces, {
			successorContent: { value },
		});
		const copies = await attributes.sharedVersions(predecessor.id);
		const peers = new Set(copies.map(({ shareInfo }) => shareInfo?.peer));
		for (const peer of peers)
			if (peer !== undefined) await attributes.notifyPeer(successor.id, { peer });
	} catch (error) {
		throw inWords(error);
	}
}

/** Deletes an own attribute; contacts that have it keep their copies. */
export async function deleteData({ gateway }: Person, id: string): Promise<void> {
	await gateway.attributes.delete(id);
}

function inWords(error: unknown): unknown {
	if (!isGatewayError(error)) return error;
	if (error.code === 'error.runtime.attributes.cannotCreateDuplicateRepositoryAttribute') {
		return new WalletError(400, 'You have this among your data already.');
	}
	if (error.code === 'error.runtime.validation.invalidPropertyValue') {
		return new WalletError(400, 'This does not have the expected form.');
	}
	return error;
}
