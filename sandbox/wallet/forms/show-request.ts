import type { Gateway, RequestDto } from '../../../core';
import type { ShownGroup, ShownItem, ShownRequest } from '../shown/request';
import { decisionItems } from './decision';
import { entriesOf, isGroup, textOf, type Entry } from './request-entries';
import { shownItem } from './shown-item';
import { obstaclesByPath, wholeObstacle, type Asker } from './validation-words';

/** Request as the page shows it, with the reasons for all that cannot be accepted. */
export async function showRequest(
	gateway: Gateway,
	request: RequestDto,
	asker: Asker,
): Promise<ShownRequest> {
	const entries = entriesOf(request.content);
	const groups = await groupsOf(gateway, entries);
	const check = await checkOf(gateway, request, groups);
	const { title, description, expiresAt } = request.content;
	const obstacle = wholeObstacle(request, asker, check);
	return {
		id: request.id,
		from: asker.name,
		connects: request.source?.type === 'RelationshipTemplate' && asker.status !== 'Active',
		groups: groups.map((group) => ({
			...group,
			items: group.items.map((item) => withObstacle(item, check)),
		})),
		...textMember('title', title),
		...textMember('description', description),
		...textMember('expiresAt', expiresAt),
		...(obstacle === undefined ? {} : { obstacle }),
	};
}

function textMember<Name extends string>(
	name: Name,
	value: unknown,
): Partial<Record<Name, string>> {
	const text = textOf(value);
	return (text === undefined ? {} : { [name]: text }) as Partial<Record<Name, string>>;
}

/** Items in their order; neighbours outside groups share a group without a title. */
async function groupsOf(gateway: Gateway, entries: readonly Entry[]): Promise<ShownGroup[]> {
	const groups: Array<ShownGroup & { items: ShownItem[]; isOpen: boolean }> = [];
	for (const [index, entry] of entries.entries()) {
		if (isGroup(entry)) {
			const items = await Promise.all(
				(entry.items ?? []).map((item, at) => shownItem(item, `${index}.${at}`, gateway)),
			);
			groups.push({
				items,
				isOpen: false,
				...textMember('title', entry.title),
				...textMember('description', entry.description),
			});
			continue;
		}
		const item = await shownItem(entry, String(index), gateway);
		const last = groups.at(-1);
		if (last?.isOpen === true) last.items.push(item);
		else groups.push({ items: [item], isOpen: true });
	}
	return groups.map(({ isOpen: _isOpen, ...group }) => group);
}

type Check = Awaited<ReturnType<Gateway['incomingRequests']['canAccept']>>;

/** Checks the acceptance of all items that need no input. */
async function checkOf(
	gateway: Gateway,
	request: RequestDto,
	groups: readonly ShownGroup[],
): Promise<Check> {
	const confirmed = groups
		.flatMap(({ items }) => items)
		.filter(({ answer, obstacle }) => answer.kind === 'confirm' && obstacle === undefined);
	const answers = Object.fromEntries(confirmed.map(({ path }) => [path, { accept: true }]));
	const noFile = (): Promise<string> => Promise.reject(new TypeError('Expected no file'));
	const items = await decisionItems(entriesOf(request.content), answers, {
		ownAddress: '',
		storeFile: noFile,
	});
	return await gateway.incomingRequests.canAccept(request.id, { items });
}

function withObstacle(item: ShownItem, check: Check): ShownItem {
	if (item.answer.kind !== 'confirm' || item.obstacle !== undefined) return item;
	const obstacle = obstaclesByPath(check)[item.path];
	return obstacle === undefined ? item : { ...item, obstacle };
}
