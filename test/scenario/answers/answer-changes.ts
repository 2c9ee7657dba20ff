import type { PassingAnswer } from '../../support/backbone/changing-proxy';
import type { Dice } from '../convergence/dice';
import type { AnswerForm } from './answer-forms';

type Members = Record<string, unknown>;

/** Names the route of an answer as the forms do. */
export function routeOf({ method, path, status }: PassingAnswer): string {
	const [place = '', query = ''] = path.replace(/^\/api\/v\d+/, '').split('?');
	const plain = decodeURIComponent(place)
		.replace(/\/[A-Z]{3}[A-Za-z0-9]{17}(?=\/|$)/g, '/{id}')
		.replace(/\/did:e:[^/]+/g, '/{address}');
	const first = query.split('=')[0] ?? '';
	// Names of people and secrets are in the query of these.
	const isNamed = first !== '' && first !== 'username' && first !== 'password';
	return `${method} ${plain}${isNamed ? `?${first}` : ''}${status < 400 ? '' : ` ${status}`}`;
}

const isMembers = (value: unknown): value is Members =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const texts = [
	'Ünïcödé – ñandú',
	'Пример 設備 جهاز',
	'𝒻𝒶𝓃𝒸𝓎 👩‍👩‍👧 \u202eback',
	'with "quotes", <tags> & \\ slashes',
	'!@#$%^&*()_-+=<>?/{}[]|~',
	'x'.repeat(500),
];

/** The objects of an answer: the items of a list, or its one object. */
function objectsOf(body: unknown, { at }: AnswerForm): unknown[] {
	if (at === 'body') return [body];
	const object = (body as Members)[at ?? 'result'];
	return Array.isArray(object) ? object : [object];
}

/** The members that a path with stars leads to. */
function membersAt(object: unknown, path: string): Array<readonly [owner: Members, name: string]> {
	const [step = '', ...rest] = path.split('.');
	if (step === '*') {
		return Array.isArray(object) ? object.flatMap((item) => membersAt(item, rest.join('.'))) : [];
	}
	if (!isMembers(object)) return [];
	return rest.length === 0 ? [[object, step]] : membersAt(object[step], rest.join('.'));
}

/** Every object of the value, itself included. */
function allObjects(value: unknown): Members[] {
	if (typeof value !== 'object' || value === null) return [];
	const inner = Object.values(value).flatMap(allObjects);
	return isMembers(value) ? [value, ...inner] : inner;
}

/** A change that a client must not notice; says what it was. */
export type HarmlessChange = (body: unknown, form: AnswerForm, dice: Dice) => string[];

/** Changes the members at these places; what comes out as undefined is left out. */
const changeAt =
	(
		paths: (form: AnswerForm) => readonly string[] | undefined,
		change: (value: unknown, dice: Dice) => unknown,
	): HarmlessChange =>
	(body, form, dice) =>
		(paths(form) ?? []).flatMap((path) =>
			objectsOf(body, form)
				.flatMap((object) => membersAt(object, path))
				.flatMap(([owner, name]) => {
					const value = change(owner[name], dice);
					if (value === owner[name]) return [];
					if (value === undefined) delete owner[name];
					else owner[name] = value;
					return [`${path}: ${(JSON.stringify(value) ?? 'left out').slice(0, 60)}`];
				}),
		);

export const harmlessChanges: readonly HarmlessChange[] = [
	(body, _form, dice) =>
		allObjects(body).map((owner) => {
			const name = dice.pick(['added', 'größer', 'x-new', 'data2']);
			owner[name] = dice.pick<unknown>([null, 7, 'new', ['new'], { new: { deep: true } }]);
			return `${name} added`;
		}),
	changeAt(
		({ enumerations }) => enumerations,
		(value, dice) => (value == null ? value : dice.pick(['Paused', 'InTransit', 'Überholt'])),
	),
	changeAt(
		({ texts: paths }) => paths,
		(value, dice) => (typeof value === 'string' ? dice.pick(texts) : value),
	),
	changeAt(
		({ optional }) => optional,
		(value) => (value === undefined ? null : value === null ? undefined : value),
	),
	changeAt(
		({ numbers }) => numbers,
		(value) =>
			typeof value === 'number' ? `${value}` : typeof value === 'string' ? Number(value) : value,
	),
];

const nonsense: readonly unknown[] = [null, 7, [], {}, ['a'], { a: 1 }, true, 'n\u0000nsense', ''];

/** What was made of the first object that a form met, to be made of it again whenever it is answered. */
export class NonsenseChange {
	/** undefined: no object was met yet */
	description: string | undefined;

	private key: string | undefined;

	private spoil: (object: unknown) => unknown = () => null;

	constructor(
		private readonly form: AnswerForm,
		private readonly dice: Dice,
	) {}

	apply(answer: PassingAnswer): unknown {
		const { form } = this;
		const { body } = answer;
		const change = (object: unknown): unknown =>
			this.isTouched(object, answer) ? this.spoil(structuredClone(object)) : object;
		if (form.at === 'body') return change(body);
		const place = form.at ?? 'result';
		const result = (body as Members)[place];
		const changed = Array.isArray(result) ? result.map(change) : change(result);
		return { ...(body as Members), [place]: changed };
	}

	private isTouched(object: unknown, answer: PassingAnswer): boolean {
		if (this.description !== undefined) {
			return this.form.isAboutNothing !== true && this.key === keyOf(object, answer);
		}
		this.key = keyOf(object, answer);
		this.describe(object, routeOf(answer));
		return true;
	}

	/** Decides what becomes of the object: nonsense in its place, or in the place of something in it. */
	private describe(object: unknown, route: string): void {
		const owners = allObjects(object).filter((owner) => Object.keys(owner).length > 0);
		if (owners.length === 0 || this.dice.chance(0.15)) {
			const value = this.dice.pick(nonsense.filter((one) => !isSameKind(one, object)));
			this.description = `${route}: all of it ${JSON.stringify(value)}`;
			this.spoil = () => value;
			return;
		}
		const index = this.dice.number(owners.length) - 1;
		const owner = owners[index] ?? {};
		const name = this.dice.pick(Object.keys(owner));
		const value = this.dice.chance(0.15)
			? undefined
			: this.dice.pick(nonsense.filter((one) => !isSameKind(one, owner[name])));
		this.description = `${route}: ${name} ${JSON.stringify(value) ?? 'left out'}`;
		this.spoil = (again) => {
			const found = allObjects(again).filter((one) => Object.keys(one).length > 0)[index];
			if (found === undefined || !(name in found)) return again;
			if (value === undefined) delete found[name];
			else found[name] = value;
			return again;
		};
	}
}

/** A value of the same kind would be a lie, and no nonsense. */
function isSameKind(one: unknown, other: unknown): boolean {
	if (one === null || other === null) return one === other;
	return typeof one === typeof other && Array.isArray(one) === Array.isArray(other);
}

/** The object's own id, or the id that was asked for. */
function keyOf(object: unknown, { path }: PassingAnswer): string {
	const id = isMembers(object) ? object['id'] : undefined;
	const asked = /\/([A-Z]{3}[A-Za-z0-9]{17})(?=\/|\?|$)/.exec(path)?.[1];
	return typeof id === 'string' ? id : (asked ?? path);
}
