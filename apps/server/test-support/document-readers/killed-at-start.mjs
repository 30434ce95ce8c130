// A reader that is killed before it can read.
process.kill(process.pid, 'SIGKILL');
