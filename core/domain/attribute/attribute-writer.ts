import type { Needs } from '../needs';

/**
 * Author and time of attribute changes. Functions that store attributes take a writer in addition
 * to the caller's transaction; `AttributeService.writer()` creates it.
 */
export interface AttributeWriter extends Needs<'random' | 'observers'> {
	readonly ownAddress: string;
	/** ISO text */
	readonly now: string;
	/** true if own attributes can be the default of their value type (consumption 8.3) */
	readonly setsDefaults: boolean;
	/** true if peers get an own attribute under the id that it has here, as in version 7 */
	readonly hasOneId: boolean;
	/** true if composite attributes get no attributes for their parts, as in version 7 */
	readonly withoutParts?: boolean;
}
