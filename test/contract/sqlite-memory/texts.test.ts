import { textPromises } from '../store/texts';
import { describeInMemory } from './in-memory';

describeInMemory(textPromises);
