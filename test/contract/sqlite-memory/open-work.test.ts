import { openWorkPromises } from '../store/open-work';
import { describeInMemory } from './in-memory';

describeInMemory(openWorkPromises);
