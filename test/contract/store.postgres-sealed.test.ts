import { describeStoreInPostgres } from './store-in-postgres';

jest.setTimeout(60_000);

describeStoreInPostgres('with contents sealed', true);
