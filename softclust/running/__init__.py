"""Running work: compiler, threads, interrupts, random numbers, announcements."""
