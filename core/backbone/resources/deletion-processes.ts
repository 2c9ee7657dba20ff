import type { CallOptions, DeletionProcessResource } from '../port/backbone';
import type { BackboneCaller, Call } from '../http/backbone-caller';
import { wireDeletionProcessSchema, type WireDeletionProcess } from '../dto/deletion-process';
import { readWholeList } from '../http/paging';
import { get, post, put } from './calls';
import { sameObject } from './same-object';
import { pathId } from './wire-text';

const root = '/Identities/Self/DeletionProcesses';

/**
 * `docs/protocol/backbone-api.md` 9.1. Changes are never repeated, because the
 * Backbone refuses a second one.
 */
export function createDeletionProcessResource(caller: BackboneCaller): DeletionProcessResource {
	const path = (id: string): string => `${root}/${pathId(id, 'IDP')}`;
	const answer = (id: string, call: Call, options?: CallOptions): Promise<WireDeletionProcess> =>
		sameObject(id, caller.result(call, wireDeletionProcessSchema, options));
	const change =
		(suffix: string) =>
		async (id: string, options?: CallOptions): Promise<WireDeletionProcess> =>
			answer(id, put(`${path(id)}/${suffix}`, {}), options);
	return {
		start: (lengthOfGracePeriodInDays, options) =>
			caller.result(post(root, { lengthOfGracePeriodInDays }), wireDeletionProcessSchema, options),
		list: (options) => readWholeList(caller, get(root), wireDeletionProcessSchema, options),
		get: async (id, options) => answer(id, get(path(id)), options),
		cancel: change('Cancel'),
		approve: change('Approve'),
		reject: change('Reject'),
	};
}
