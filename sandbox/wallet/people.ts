import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from '../../core';
import { WalletError } from './http/wallet-error';
import { Person, type PersonOptions } from './person';

/** Bounds the accounts that are open at the same time. */
const mostPeople = 40;
const firstName = 'Ada';

const fileSchema = z.array(
	z.object({ id: z.string().regex(/^[a-z0-9]{1,40}$/), name: z.string().min(1).max(100) }),
);
type PeopleFile = ReturnType<typeof fileSchema.parse>;

/** People who share the wallet, each with an account of their own. */
export class People {
	private readonly people = new Map<string, Person>();

	private constructor(private readonly options: PersonOptions) {}

	/** Opens the accounts of all people; the first start creates one person. */
	static async open(options: PersonOptions): Promise<People> {
		const people = new People(options);
		try {
			for (const { id, name } of people.readFile()) await people.openPerson(id, name);
			if (people.people.size === 0) await people.create(firstName);
			return people;
		} catch (error) {
			await people.close();
			throw error;
		}
	}

	list(): Person[] {
		return [...this.people.values()];
	}

	get(id: string): Person {
		const person = this.people.get(id);
		if (person !== undefined) return person;
		throw new WalletError(404, 'This person is not in the wallet. Reload the page.');
	}

	async create(name: string): Promise<Person> {
		if (this.people.size >= mostPeople) {
			throw new WalletError(400, `The wallet has room for ${mostPeople} people.`);
		}
		const person = await this.openPerson(`p${randomBytes(6).toString('hex')}`, name);
		this.writeFile();
		return person;
	}

	rename(id: string, name: string): void {
		this.get(id).name = name;
		this.writeFile();
	}

	async close(): Promise<void> {
		await Promise.all(this.list().map((person) => person.close()));
	}

	private async openPerson(id: string, name: string): Promise<Person> {
		const person = await Person.open(this.options, id, name);
		this.people.set(id, person);
		return person;
	}

	private get file(): string {
		return join(this.options.folder, 'people.json');
	}

	private readFile(): PeopleFile {
		if (!existsSync(this.file)) return [];
		return fileSchema.parse(JSON.parse(readFileSync(this.file, 'utf8')));
	}

	/** Replaces the file at once, so that an interrupted write loses no person. */
	private writeFile(): void {
		const people = this.list().map(({ id, name }) => ({ id, name }));
		writeFileSync(`${this.file}.new`, JSON.stringify(people, undefined, '\t'), { mode: 0o600 });
		renameSync(`${this.file}.new`, this.file);
	}
}
