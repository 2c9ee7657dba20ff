import { recordPromises } from '../store/records';
import { scanPromises } from '../store/scans';
import { describeInMemory } from './in-memory';

describeInMemory(recordPromises, scanPromises);
