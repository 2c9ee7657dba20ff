import { target } from '../support/backbone/backbone-target';
import type { Generation } from '../support/peer/peer';

/** Of the Backbone that the run is for; a run without an address is for the sandbox of this version. */
export const majorVersion: 6 | 7 = target?.majorVersion ?? 6;

/** Official runtimes that the Backbone understands: 6.60.5 speaks with version 6 only. */
export const officialGenerations: readonly Generation[] =
	target?.isOnlyOurs === true ? [] : majorVersion === 7 ? [7] : [6, 7];

export const mailCount = Number(process.env['ENMESHED_TEST_BACKBONE_MAILS'] ?? '40');
