import { expiryFields } from '../descriptions/expiry';
import { invalidDate, readInstant } from './instants';
import type { OperationCall } from '../operation/operation';
import { parameterSchema, parseParameters } from './parse-parameters';

const dayMs = 24 * 3_600_000;

const only = (name: string) => expiryFields('').filter((field) => field.name === name);

const expirySchema = parameterSchema((z) => z.object({ expires: z.enum(['afterDays', 'onDate']) }));

const daysSchema = parameterSchema((z, { number }) =>
	z.object({
		expiresInDays: number.pipe(
			z.number().gt(0, 'Expected more than 0').max(36_500, 'At most 36500'),
		),
	}),
);

/** Reads the fields of `descriptions/expiry` as an instant. */
export async function readExpiry(call: OperationCall): Promise<string> {
	const { expires } = await parseParameters(call, only('expires'), expirySchema);
	if (expires === 'afterDays') {
		const { expiresInDays } = await parseParameters(call, only('expiresInDays'), daysSchema);
		return new Date(Date.now() + expiresInDays * dayMs).toISOString();
	}
	const { functions, itemIndex } = call;
	const entered: unknown = functions.getNodeParameter('expiresAt', itemIndex, '');
	return await requireInstant(call, entered, 'Expires At');
}

/** Reads a date field that may be empty. */
export async function readOptionalInstant(
	call: OperationCall,
	entered: unknown,
	field: string,
): Promise<string | undefined> {
	if (entered === undefined || entered === null || entered === '') return undefined;
	return await requireInstant(call, entered, field);
}

async function requireInstant(
	{ functions, itemIndex }: OperationCall,
	entered: unknown,
	field: string,
): Promise<string> {
	const instant = await readInstant(entered, functions.getTimezone());
	if (instant !== undefined) return instant;
	throw invalidDate(functions.getNode(), field, itemIndex);
}
