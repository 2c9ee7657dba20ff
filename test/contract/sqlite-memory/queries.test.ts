import { queryPromises } from '../store/queries';
import { queryLimitPromises } from '../store/query-limits';
import { describeInMemory } from './in-memory';

describeInMemory(queryPromises, queryLimitPromises);
