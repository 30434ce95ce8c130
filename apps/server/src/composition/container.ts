// tsyringe looks for it as soon as it is loaded, so everything of tsyringe is taken from here.
import 'reflect-metadata';

export { container, type DependencyContainer, instanceCachingFactory } from 'tsyringe';
