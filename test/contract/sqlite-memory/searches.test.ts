import { searchPromises } from '../store/searches';
import { describeInMemory } from './in-memory';

describeInMemory(searchPromises);
