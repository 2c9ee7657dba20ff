import { expiryFields } from '../descriptions/expiry';
import { invalidDate, readInstant } from './instants';
import type { OperationContext } from './operation';
import { parameterSchema, parseParameters } from './parse-parameters';

const dayMs = 24 * 3_600_000;

const only = (name: string) => expiryFields('').filter((field) => field.name === name);

const expirySchema = parameterSchema((z) => z.object({ expires: z.enum(['afterDays', 'onDate']) }));

const daysSchema = parameterSchema((z) =>
	z.object({ expiresInDays: z.number('Expected a number').gt(0).max(36_500) }),
);

/** Reads the fields of `descriptions/expiry` as an instant. */
export async function readExpiry(context: OperationContext): Promise<string> {
	const { expires } = await parseParameters(context, only('expires'), expirySchema);
	if (expires === 'afterDays') {
		const { expiresInDays } = await parseParameters(context, only('expiresInDays'), daysSchema);
		return new Date(Date.now() + expiresInDays * dayMs).toISOString();
	}
	const { functions, itemIndex } = context;
	const entered: unknown = functions.getNodeParameter('expiresAt', itemIndex, '');
	return await requireInstant(context, entered, 'Expires At');
}

/** Reads a date field that may be empty. */
export async function readOptionalInstant(
	context: OperationContext,
	entered: unknown,
	field: string,
): Promise<string | undefined> {
	if (entered === undefined || entered === null || entered === '') return undefined;
	return await requireInstant(context, entered, field);
}

async function requireInstant(
	{ functions, itemIndex }: OperationContext,
	entered: unknown,
	field: string,
): Promise<string> {
	const instant = await readInstant(entered, functions.getTimezone());
	if (instant !== undefined) return instant;
	throw invalidDate(functions.getNode(), field, itemIndex);
}
