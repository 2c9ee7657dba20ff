import type { Clock } from '../../base/clock';
import { isoInstant } from '../../base/clock';
import { safeParse } from '../../base/schema-parse';
import { refusedText } from '../../model/content/attribute-texts';
import type { Attribute } from '../../model/content/attributes';
import { obstacleFor } from '../../model/content/generations';
import { valueStructureOf } from '../../model/content/values/value-structure';
import type { JsonObject } from '../../model/json';
import { localAttributeErrors, framed } from './local-attribute-errors';
import { invalidInput } from '../input-errors';

/* Rules of version 7 for contents (docs/protocol/connector-7.md 4.3). */

/** @throws `error.runtime.validation.invalidPropertyValue` */
export function checkValueOf7(value: JsonObject): void {
	const type = String(value['@type']).slice(0, 100);
	const isUnknown = obstacleFor(7, { '@type': 'IdentityAttribute', value }) !== undefined;
	const structure = isUnknown ? undefined : valueStructureOf(type);
	if (structure === undefined) {
		throw invalidInput(`${type} :: is not a type of identity attribute`, 'content.value.@type');
	}
	const parsed = safeParse(structure, value);
	if (parsed.success) return;
	const issue = parsed.error.issues[0];
	const unknown = issue?.code === 'unrecognized_keys' ? [issue.keys[0] ?? ''] : [];
	const field = [...(issue?.path ?? []), ...unknown].map(String).join('.');
	throw invalidInput(
		`${type} :: ${field}: ${issue?.message ?? 'unexpected value'}`,
		`content.value.${field}`,
	);
}

/** @throws `error.consumption.attributes.forbiddenCharactersInAttribute` */
export function requireAllowedCharacters(
	content: Attribute,
	role: 'Attribute' | 'successor',
	clock: Clock,
): void {
	const refused = refusedText(content, 'asWritten');
	if (refused === undefined) return;
	const { code } = localAttributeErrors.forbiddenCharacters;
	const text = `The ${role} contains forbidden characters.`;
	throw localAttributeErrors.create('forbiddenCharacters', {
		message: framed(code, text, isoInstant(clock.now())),
		facts: { field: refused.field },
	});
}
