import { attributeIdSchema } from '../../model/ids';
import { parseInput } from '../validation';
import { invalidInput } from '../input-errors';

/** @throws `error.runtime.validation.invalidPropertyValue` */
export function requireAttributeId(id: string): void {
	parseInput(attributeIdSchema, id, (message) => invalidInput(message, 'id'));
}
