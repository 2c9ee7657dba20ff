import { pagePromises } from '../store/pages';
import { scanPromises } from '../store/scans';
import { wholeListPromises } from '../store/whole-lists';
import { describeInMemory } from './in-memory';

describeInMemory(pagePromises, wholeListPromises, scanPromises);
