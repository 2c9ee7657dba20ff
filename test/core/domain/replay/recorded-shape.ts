/* The recorded answers are shortened; ours are brought into the same form before they are compared. */

type Members = Readonly<Record<string, unknown>>;

/** Ours, as far as the recording shows it. */
export function shapedLike(recorded: unknown, ours: unknown): unknown {
	if (Array.isArray(ours)) {
		return ours.map((entry, index) =>
			shapedLike(Array.isArray(recorded) ? recorded[index] : undefined, entry),
		);
	}
	if (!isMembers(ours)) return ours;
	if (isAttribute(ours)) return attributeLike(recorded, ours);
	const shown = isMembers(recorded) ? recorded : {};
	if (isValidation(ours)) return withoutMessages(ours);
	const isShortened = 'id' in ours && 'status' in ours && !('createdAt' in shown);
	const names = Object.keys(ours).filter((name) => !isShortened || name in shown);
	return Object.fromEntries(names.map((name) => [name, shapedLike(shown[name], ours[name])]));
}

function isMembers(value: unknown): value is Members {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isAttribute(value: Members): boolean {
	return String(value['id']).startsWith('ATT') && 'content' in value && 'owner' in value;
}

function attributeLike(recorded: unknown, attribute: Members): unknown {
	const { owner: _ours, ...whole } = attribute;
	if (isMembers(recorded) && 'content' in recorded) return whole;
	const { content, createdAt: _createdAt, ...rest } = whole as Members & { content: Members };
	const { value, tags, key, owner } = content;
	const { '@type': type, value: inner } = value as Members;
	return {
		...rest,
		value: inner ?? type,
		owner,
		...(key === undefined ? {} : { key }),
		...(tags === undefined ? {} : { tags }),
	};
}

/** Texts for people are not recorded. */
function isValidation(value: Members): boolean {
	return typeof value['isSuccess'] === 'boolean';
}

function withoutMessages({ message: _message, ...rest }: Members): unknown {
	const { items } = rest;
	return Array.isArray(items)
		? { ...rest, items: items.map((item) => withoutMessages(item as Members)) }
		: rest;
}
