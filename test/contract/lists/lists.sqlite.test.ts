import { describeLists } from './lists.contract';

describe('lists of an account in SQLite', () => {
	describeLists(() => ({}));
});
