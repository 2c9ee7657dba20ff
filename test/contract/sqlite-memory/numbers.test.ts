import { numberPromises } from '../store/numbers';
import { describeInMemory } from './in-memory';

describeInMemory(numberPromises);
