import { appendFileSync } from 'node:fs';
import type { Note } from '../../../scripts/backbone-run/report';

/** Keeps what `npm run test:backbone` reports besides passed and failed; other runs have no use for it. */
function keep(note: Note): void {
	const file = process.env['ENMESHED_TEST_BACKBONE_NOTES'] ?? '';
	if (file !== '') appendFileSync(file, `${JSON.stringify(note)}\n`);
}

/** How long it took from the end of a call to the event that it causes on the other side. */
export function noteEventTime(what: string, ms: number): void {
	keep({ kind: 'eventTime', what, ms });
}

/** A part of a test that this Backbone does not allow. */
export function noteLeftOut(what: string, reason: string): void {
	keep({ kind: 'leftOut', what, reason });
}
