import { eventPromises } from '../store/events';
import { describeInMemory } from './in-memory';

describeInMemory(eventPromises);
