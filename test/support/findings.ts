/** What must hold; each sentence that does not is kept. */
export class Findings {
	readonly found: string[] = [];

	expect(holds: boolean, sentence: string): void {
		if (!holds) this.found.push(sentence);
	}

	expectEqual(actual: unknown, expected: unknown, sentence: string): void {
		const [is, shouldBe] = [JSON.stringify(actual), JSON.stringify(expected)];
		this.expect(is === shouldBe, `${sentence}: ${is} instead of ${shouldBe}`);
	}
}
