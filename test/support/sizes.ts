/** Set by `npm run test:full`: long histories and all of their seeds. */
const isFull = process.env['ENMESHED_TEST_FULL'] === '1';

interface Sizes {
	/** of `npm test`: enough to find what breaks often */
	readonly quick: number;
	/** of `npm run test:full` */
	readonly full: number;
}

/** How much of a long test is done in this run. */
export function size({ quick, full }: Sizes): number {
	return isFull ? full : quick;
}
