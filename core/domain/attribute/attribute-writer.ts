import type { Random } from '../../base/random';
import type { AttributeRecord } from '../../model/record/attribute';
import type { WriteTransaction } from '../../store/store';

/**
 * Who writes attributes, and when. The functions that store attributes take one beside the
 * transaction of their caller; `AttributeService.writer()` makes it.
 */
export interface AttributeWriter {
	readonly ownAddress: string;
	readonly random: Random;
	/** ISO text */
	readonly now: string;
	/** whether attributes of our own can be the default ones of their type (consumption 8.3) */
	readonly setsDefaults: boolean;
	/** Called, in the same transaction, for each attribute that is announced as created. */
	readonly onCreated: (tx: WriteTransaction, record: AttributeRecord) => Promise<void>;
}
