import { fieldPromises } from '../store/fields';
import { openWorkPromises } from '../store/open-work';
import { describeInMemory } from './in-memory';

describeInMemory(fieldPromises, openWorkPromises);
