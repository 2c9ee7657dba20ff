import type { CallOptions, DeletionProcessResource } from '../port/backbone';
import type { BackboneCaller } from '../http/backbone-caller';
import { wireDeletionProcessSchema, type WireDeletionProcess } from '../dto/deletion-process';
import { readWholeList } from '../http/paging';
import { sameObject } from './same-object';
import { pathId } from './wire-text';

const root = '/Identities/Self/DeletionProcesses';

/**
 * `docs/protocol/backbone-api.md` 9.1. Changes are never repeated, because the
 * Backbone refuses a second one.
 */
export function createDeletionProcessResource(caller: BackboneCaller): DeletionProcessResource {
	const path = (id: string): string => `${root}/${pathId(id, 'IDP')}`;
	const change =
		(suffix: string) =>
		async (id: string, options?: CallOptions): Promise<WireDeletionProcess> =>
			sameObject(
				id,
				caller.result(
					{ method: 'PUT', path: `${path(id)}/${suffix}`, json: {} },
					wireDeletionProcessSchema,
					options,
				),
			);
	return {
		start: (lengthOfGracePeriodInDays, options) =>
			caller.result(
				{
					method: 'POST',
					path: root,
					json: lengthOfGracePeriodInDays === undefined ? {} : { lengthOfGracePeriodInDays },
				},
				wireDeletionProcessSchema,
				options,
			),
		list: (options) =>
			readWholeList(caller, { method: 'GET', path: root }, wireDeletionProcessSchema, options),
		get: async (id, options) =>
			sameObject(
				id,
				caller.result({ method: 'GET', path: path(id) }, wireDeletionProcessSchema, options),
			),
		cancel: change('Cancel'),
		approve: change('Approve'),
		reject: change('Reject'),
	};
}
