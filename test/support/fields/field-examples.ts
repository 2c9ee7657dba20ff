import type { CollectionTypes } from '../../../core/store/collections/collection-types';
import { contentFields } from './content-fields';
import type { Examples } from './example';
import { exchangeFields } from './exchange-fields';
import { objectFields } from './object-fields';
import { serverFields } from './server-fields';

/** Examples of all collections with more than one record. */
export const fieldExamples: Examples<Exclude<keyof CollectionTypes, 'identity' | 'syncState'>> = {
	...contentFields,
	...exchangeFields,
	...objectFields,
	...serverFields,
};
