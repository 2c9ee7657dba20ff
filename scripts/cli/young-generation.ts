import { setFlagsFromString } from 'node:v8';

/**
 * Fixes the size of the young generation of the heap, which Node would otherwise grow to some 100
 * MB under many requests and never shrink. The size after the start suffices for the usual load.
 */
export function fixYoungGeneration(): void {
	setFlagsFromString('--semi-space-growth-factor=1');
}
