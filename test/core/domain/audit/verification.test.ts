import { call, newAudit, openWith, restore, snapshotOf, Tables } from './audit-tables';

/* docs/adr/0051: what a verification finds when the rows of the database are changed */
/** Numbers that follow from a seed (mulberry32). */
function seeded(seed: number): (below: number) => number {
	let state = seed;
	return (below) => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
	};
}

const rows = 8;
const otherText = 'abcxyz0189{}":,';

type Change = (tables: Tables, pick: (below: number) => number, older: readonly string[]) => string;

/** What an intruder may do; each returns what it has done, for the message of a failure. */
const changes: readonly Change[] = [
	(tables, pick) => {
		const number = 1 + pick(rows);
		const before = tables.document(number);
		const at = pick(before.length);
		const others = [...otherText].filter((one) => one !== before[at]);
		const text = others[pick(others.length)] ?? '';
		tables.write(number, before.slice(0, at) + text + before.slice(at + 1));
		return `a character of row ${number}`;
	},
	(tables, pick) => {
		const number = 1 + pick(rows);
		const row = JSON.parse(tables.document(number)) as Record<string, unknown>;
		const names = Object.keys(row).filter((name) => name !== 'id');
		const name = names[pick(names.length)] ?? '';
		const values = ['another', null, 5, {}, [call], `${String(row[name])}x`];
		const changed = { ...row, [name]: values[pick(values.length)] };
		tables.write(number, JSON.stringify(changed));
		return `'${name}' of row ${number}`;
	},
	(tables, pick) => {
		const number = 1 + pick(rows);
		const row = JSON.parse(tables.document(number)) as Record<string, unknown>;
		tables.write(number, JSON.stringify({ ...row, added: pick(9) }));
		return `a member for row ${number}`;
	},
	(tables, pick) => {
		const number = 1 + pick(rows);
		tables.remove(number);
		return `row ${number} removed`;
	},
	(tables, pick) => {
		const from = 1 + pick(rows);
		for (let number = from; number <= rows; number++) tables.remove(number);
		return `rows from ${from} removed`;
	},
	(tables, pick) => {
		const first = 1 + pick(rows);
		const second = 1 + ((first + pick(rows - 1)) % rows);
		const [one, other] = [tables.document(first), tables.document(second)];
		const asSecond = { ...(JSON.parse(one) as object), id: String(second) };
		const asFirst = { ...(JSON.parse(other) as object), id: String(first) };
		tables.write(second, JSON.stringify(asSecond));
		tables.write(first, JSON.stringify(asFirst));
		return `rows ${first} and ${second} exchanged`;
	},
	(tables, pick) => {
		const number = 1 + pick(rows);
		const other = 1 + ((number + pick(rows - 1)) % rows);
		tables.write(other, tables.document(number));
		return `row ${number} copied over row ${other}`;
	},
	(tables, pick) => {
		const number = 1 + pick(rows);
		const id = ['0', '-1', 'x', String(rows + 1), String(rows + 100)][pick(5)] ?? '';
		const copy = { ...(JSON.parse(tables.document(number)) as object), id };
		tables.add(id, JSON.stringify(copy));
		return `row ${number} copied as '${id}'`;
	},
	(tables, pick) => {
		const number = 1 + pick(rows);
		tables.rename(number, String(rows + 1 + pick(9)));
		return `row ${number} renamed`;
	},
	(tables, pick, older) => {
		const at = pick(older.length);
		tables.seal(older[at] ?? '');
		// Rows that the older record does not know may go with it, all but not none of them.
		if (at + 1 < rows - 1 && pick(2) === 0) tables.remove(rows);
		return `the sealed record after row ${at + 1}`;
	},
	(tables, pick) => {
		const text = tables.sealed;
		const at = pick(text.length - 1);
		const others = [...'ABab01'].filter((one) => one !== text[at]);
		tables.seal(text.slice(0, at) + (others[pick(others.length)] ?? '') + text.slice(at + 1));
		return 'a character of the sealed record';
	},
	(tables) => {
		tables.removeSealed();
		return 'the sealed record removed';
	},
];

describe('the verification', () => {
	it('finds 10,000 random changes of the rows', async () => {
		const { database, store, audit } = await openWith(0);
		const verifying = newAudit(store);
		const tables = new Tables(database);
		const older: string[] = [];
		for (let row = 1; row <= rows; row++) {
			await audit.record({ ...call, correlationId: `c${row}` });
			older.push(tables.sealed);
		}
		older.pop();
		expect(await audit.verify()).toMatchObject({ isIntact: true, checked: rows, findings: [] });
		const before = snapshotOf(database);
		const pick = seeded(51);
		const missed: string[] = [];
		for (let count = 0; count < 10_000; count++) {
			const change = changes[count % changes.length];
			const what = change?.(tables, pick, older) ?? '';
			if ((await verifying.verify()).isIntact) missed.push(what);
			restore(database, before);
		}
		expect(missed).toEqual([]);
		expect(await audit.verify()).toMatchObject({ isIntact: true, checked: rows });
		await store.close();
	});

	it.each([
		['a changed row', (t: Tables) => edit(t, 3), [{ kind: 'changed', from: 3, to: 3 }]],
		['the newest row', (t: Tables) => edit(t, rows), [{ kind: 'changed', from: rows, to: rows }]],
		[
			'changed rows, which are one finding if they follow each other,',
			(t: Tables) => [3, 4, 6].forEach((number) => edit(t, number)),
			[
				{ kind: 'changed', from: 3, to: 4 },
				{ kind: 'changed', from: 6, to: 6 },
			],
		],
		[
			'a removed row',
			(t: Tables) => t.remove(3),
			[
				{ kind: 'missing', from: 3, to: 3 },
				{ kind: 'unchecked', from: 4, to: 4 },
			],
		],
		[
			'the newest row removed',
			(t: Tables) => t.remove(rows),
			[{ kind: 'missing', from: rows, to: rows }],
		],
		[
			'an added row',
			(t: Tables) => t.add('x', t.document(1)),
			[{ kind: 'foreign', from: rows, to: rows, count: 1 }],
		],
		['no sealed record', (t: Tables) => t.removeSealed(), [{ kind: 'chain', from: 0, to: 0 }]],
	])('names %s and nothing else', async (_name, change, findings) => {
		const { database, store } = await openWith(rows);
		change(new Tables(database));
		expect((await newAudit(store).verify()).findings).toEqual(findings);
		await store.close();
	});

	it('finds that all of it was set back, after a restart with a head that was kept', async () => {
		const { database, store, audit } = await openWith(3);
		const early = await audit.head();
		const before = snapshotOf(database);
		await audit.record(call);
		const late = await audit.head();
		const text = (head: typeof late): string => `${head?.number}:${head?.mac}`;
		expect(await audit.verify({ head: text(early) })).toMatchObject({ isIntact: true });
		expect(await audit.verify({ head: text(late) })).toMatchObject({ isIntact: true });
		restore(database, before);
		const findings = [{ kind: 'givenHead', from: 4, to: 4 }];
		expect(await audit.verify()).toMatchObject({ isIntact: false, findings });
		await expect(audit.record(call)).rejects.toMatchObject({ code: 'error.gateway.audit.broken' });
		// After a restart, only the head that was kept tells.
		const restarted = newAudit(store);
		expect(await restarted.verify()).toMatchObject({ isIntact: true });
		expect(await restarted.verify({ head: text(late) })).toMatchObject({ findings });
		await restarted.record({ ...call, object: 'MSG00000000000000002' });
		expect(await restarted.verify({ head: text(late) })).toMatchObject({ findings });
		expect(await restarted.verify({ head: text(early) })).toMatchObject({ isIntact: true });
		await store.close();
	});
});

function edit(tables: Tables, number: number): void {
	tables.write(number, tables.document(number).replace('"status":201', '"status":403'));
}
